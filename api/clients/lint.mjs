// Lints OpenAPI documents with redocly and spectral: node lint.mjs <file>... prints what they find
// as JSON, an array of lines. Rules that are off or other than recommended have their reason here.
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectralCore from '@stoplight/spectral-core'
import spectralFunctions from '@stoplight/spectral-functions'
import spectralParsers from '@stoplight/spectral-parsers'
import spectralRulesets from '@stoplight/spectral-rulesets'

const REDOCLY = await createConfig({
  extends: ['recommended'],
  rules: {
    // Probes are answered whatever is asked. Our own tests hold all other operations to it.
    'operation-4xx-response': 'off',
  },
})

const SPECTRAL = new spectralCore.Spectral()
SPECTRAL.setRuleset({
  extends: [spectralRulesets.oas],
  rules: {
    // Who runs a venue is its operator, whom a document of the software does not know.
    'info-contact': 'off',
    // `items: false` ends a tuple in JSON Schema 2020-12; the rule takes it for absent.
    'array-items': {
      given: "$..[?(@ && @.type === 'array')]",
      severity: 'error',
      then: { field: 'items', function: spectralFunctions.defined },
    },
  },
})

async function lint(path) {
  const [file, source] = [basename(path), readFileSync(path, 'utf8')]
  const found = await lintFromString({ source, absoluteRef: path, config: REDOCLY })
  const seen = await SPECTRAL.run(new spectralCore.Document(source, spectralParsers.Json, path))
  return [
    ...found.map(
      ({ ruleId, message, location: [at] }) => `${file} redocly ${ruleId} ${at?.pointer} ${message}`,
    ),
    ...seen.map(({ code, message, path: at }) => `${file} spectral ${code} ${at.join('/')} ${message}`),
  ]
}

const lines = []
for (const path of process.argv.slice(2)) lines.push(...(await lint(path)))
process.stdout.write(JSON.stringify(lines))
