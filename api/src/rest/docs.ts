// The description of the interface as JSON and as a page.
import swaggerUi from '@fastify/swagger-ui'
import { jsonBytes } from '../prepared.ts'
import { answerOnce, type Routes } from './route.ts'

export const docsRoutes: Routes = (app) => {
  let document: Buffer | undefined
  app.register(swaggerUi, { routePrefix: '/docs' })
  app.get('/openapi.json', { schema: { hide: true } }, (_request, reply) => {
    document ??= jsonBytes(app.swagger())
    return answerOnce(reply, document)
  })
}
