import { spawn } from 'node:child_process'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createFolder } from '../../pipeline/support/workspace.ts'

/** Runs a script as a runner does, with a `gh` that notes what it is asked. */
export async function runScript(cwd: string, script: string, env: Record<string, string>) {
  const temporary = await createFolder()
  const [outputs, summary, asked] = ['outputs', 'summary', 'asked'].map((name) =>
    join(temporary, name),
  ) as [string, string, string]
  await Promise.all([outputs, summary, asked].map((file) => writeFile(file, '')))
  const tools = join(temporary, 'tools')
  await mkdir(tools)
  const gh =
    '#!/bin/sh\nprintf "%s\\n" "$*" >> "$ASKED"\ncase "$*" in *--jq*) echo "$KNOWN";; esac\n'
  await writeFile(join(tools, 'gh'), gh)
  await chmod(join(tools, 'gh'), 0o755)
  const child = spawn('bash', ['-e', '-c', script], {
    cwd,
    env: {
      ...{ PATH: [tools, process.env['PATH']].join(delimiter), HOME: temporary },
      ...{ GITHUB_OUTPUT: outputs, GITHUB_STEP_SUMMARY: summary, RUNNER_TEMP: temporary },
      ...{ ASKED: asked, KNOWN: '' },
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [output, complaint] = await Promise.all([text(child.stdout), text(child.stderr)])
  const read = (file: string) => readFile(file, 'utf8')
  return {
    status: await ended,
    output: `${output}${complaint}`,
    outputs: await read(outputs),
    summary: await read(summary),
    asked: await read(asked),
  }
}
