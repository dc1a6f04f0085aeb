import { OpenApiSpecLoader } from 'express-openapi-validator/dist/framework/openapi.spec.loader.js'
import type { OpenAPIFrameworkVisitor } from 'express-openapi-validator/dist/framework/types.js'
import { OpenApiValidator } from 'express-openapi-validator/dist/openapi.validator.js'
import type { ApiSpec } from './api-spec.ts'

type Options = ConstructorParameters<typeof OpenApiValidator>[0]

/**
 * Makes the middleware of express-openapi-validator for a description that is valid and bundled, as
 * its own `middleware` does but for one thing: that compiles the schema of OpenAPI itself each time,
 * a tenth of a second, also where it is told to check no description by it.
 */
export function installMiddleware(
  apiSpec: ApiSpec,
  basePath: string,
  options: Omit<Options, 'apiSpec'>,
) {
  // It is written into.
  const apiDoc = structuredClone(apiSpec)
  const basePaths = [basePath]
  const loader = new OpenApiSpecLoader({ apiDoc })
  const initialize = async ({ visitApi }: OpenAPIFrameworkVisitor) => {
    visitApi?.({ basePaths, getApiDoc: () => apiDoc })
    return { apiDoc, basePaths }
  }
  Reflect.set(loader, 'framework', { initialize })
  return new OpenApiValidator({ ...options, apiSpec: apiDoc }).installMiddleware(loader.load())
}
