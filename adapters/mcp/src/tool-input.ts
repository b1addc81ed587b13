// Validates the input of a tool against its schema, with an error for each invalid member.
import {
  fromJsonSchema,
  type JsonSchemaType,
  type JsonSchemaValidatorResult,
  type jsonSchemaValidator,
} from '@modelcontextprotocol/server'
import { Ajv } from '@modelcontextprotocol/server/validators/ajv'
import { nearestOf } from 'openvenue'
import { ToolError } from './tool-error.ts'

export type Input = Readonly<Record<string, unknown>>
export type InputSchema = Readonly<Record<string, unknown>>

const ajv = new Ajv({ allErrors: true, strict: false })

/** The SDK would refuse with text only; {@link checkInput} refuses with structured details. */
const CHECKED_LATER: jsonSchemaValidator = {
  getValidator:
    <T>() =>
    (input: unknown): JsonSchemaValidatorResult<T> => ({
      valid: true,
      data: input as T,
      errorMessage: undefined,
    }),
}

/** The schema that clients receive. */
export const shownSchema = (schema: InputSchema) =>
  fromJsonSchema<Input>(schema as JsonSchemaType, CHECKED_LATER)

/** Returns `input` if it matches the schema, otherwise throws with every fault. */
export function checkInput(schema: InputSchema, input: unknown): Input {
  const given = input ?? {}
  const validate = ajv.compile(schema)
  const lonely = lonelyMembers(schema, given as Input)
  if (validate(given) && lonely.length === 0) return given as Input
  const names = Object.keys((schema.properties ?? {}) as object)
  const details = (validate.errors ?? []).map(({ instancePath, params, message = '' }) => {
    const field = fieldOf(instancePath, params)
    const nearest = 'additionalProperty' in params ? nearestOf(field, names) : undefined
    return {
      field,
      message,
      ...('allowedValues' in params ? { allowed: params.allowedValues } : {}),
      ...(nearest === undefined ? {} : { nearest }),
    }
  })
  details.push(...lonely)
  throw new ToolError('INVALID_INPUT', 'the input does not match the schema of the tool', {
    details,
  })
}

/** Checks `dependentRequired`, which draft 7 of the validator lacks. */
function lonelyMembers({ dependentRequired = {} }: InputSchema, input: Input) {
  const needs = Object.entries(dependentRequired as Readonly<Record<string, readonly string[]>>)
  return needs
    .filter(([name]) => Object.hasOwn(input, name))
    .flatMap(([name, others]) =>
      others
        .filter((other) => !Object.hasOwn(input, other))
        .map((field) => ({ field, message: `is required with ${name}` })),
    )
}

function fieldOf(path: string, params: Readonly<Record<string, unknown>>): string {
  const { missingProperty, additionalProperty } = params
  const name = missingProperty ?? additionalProperty
  const parts = [...path.split('/').slice(1), ...(name === undefined ? [] : [String(name)])]
  return parts.join('.')
}
