import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from './program.ts'
import { project } from './workspace.ts'

/** Type-checks every file in a folder under the project's own settings; '' when all of them fit. */
export async function typeCheck(folder: string): Promise<string> {
  const settings = {
    extends: join(project, 'tsconfig.json'),
    // A declaration file is looked into only where libraries are checked too.
    compilerOptions: { types: [], skipLibCheck: false },
    include: [join(folder, '**/*')],
  }
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings))
  const { status, output } = await run(join(project, 'node_modules/typescript7/bin/tsc'), [
    '-p',
    folder,
  ])
  return status === 0 ? '' : output
}
