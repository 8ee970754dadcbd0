import type { OpenApiDocument, Schema } from './open-api';

/** Row of a field list. */
export interface Field {
  readonly name: string;
  /** "string", "array of Profile", "integer or null". */
  readonly type: string;
  readonly required: boolean;
  readonly description: string | null;
  /** Limits, default and allowed values, one phrase each. */
  readonly limits: readonly string[];
  /** Fields of the object, of the items of the array, or of each alternative. */
  readonly fields: readonly Field[];
}

type Schemas = OpenApiDocument['components']['schemas'];

const prefix = '#/components/schemas/';

/** Generated names such as `__schema3` mean nothing to readers; `AssetOutput` is shown as the asset. */
const nameOf = (ref: string) => {
  const name = ref.slice(prefix.length);
  return name.startsWith('__') ? null : name.replace(/Output$/, '');
};

function resolve(schema: Schema, schemas: Schemas): Schema {
  if (schema.$ref === undefined) return schema;
  const target = schemas[schema.$ref.slice(prefix.length)] ?? {};
  const { $ref: _, ...schemaFields } = schema;
  return { ...resolve(target, schemas), ...schemaFields };
}

/** The alternatives of a schema without `null`; the schema itself if it has none. */
function alternativesOf(schema: Schema, schemas: Schemas): readonly Schema[] {
  const { anyOf, oneOf } = resolve(schema, schemas);
  const alternatives = anyOf ?? oneOf;
  return alternatives ? alternatives.flatMap((each) => alternativesOf(each, schemas)) : [schema];
}

const isNull = (schema: Schema) => schema.type === 'null';

/** Types nest at most this deep, such as "array of array of any", because a type can contain itself. */
const maxWords = 3;

/** The name of a type for readers. */
export function typeOf(schema: Schema, schemas: Schemas, depth = 0): string {
  if (depth >= maxWords) return 'any';
  const types = alternativesOf(schema, schemas).map((each) => plainType(each, schemas, depth));
  return [...new Set(types)].join(' or ');
}

function plainType(schema: Schema, schemas: Schemas, depth: number): string {
  const refName = schema.$ref === undefined ? null : nameOf(schema.$ref);
  const { type, items, format } = resolve(schema, schemas);
  if (type === 'array') return items ? `array of ${typeOf(items, schemas, depth + 1)}` : 'array';
  if (type === 'object' || type === undefined) return refName ?? (type === 'object' ? 'object' : 'any');
  return format === undefined || type !== 'string' ? type : `string (${format})`;
}

/**
 * The fields of an object schema, required fields first.
 * @param within references followed so far: a schema that contains itself is expanded once
 */
export function fieldsOf(schema: Schema, schemas: Schemas, within: readonly string[] = []): readonly Field[] {
  const { $ref } = schema;
  if ($ref !== undefined && within.includes($ref)) return [];
  const inside = $ref === undefined ? within : [...within, $ref];
  const alternatives = alternativesOf(schema, schemas)
    .map((each) => (each === schema ? ownFields(each, schemas, inside) : fieldsOf(each, schemas, inside)))
    .filter((fields) => fields.length > 0);
  return mergeAlternatives(alternatives).sort((a, b) => Number(b.required) - Number(a.required));
}

function ownFields(schema: Schema, schemas: Schemas, within: readonly string[]): readonly Field[] {
  const { properties, required = [], items, additionalProperties } = resolve(schema, schemas);
  if (items) return fieldsOf(items, schemas, within);
  const propertyFields = Object.entries(properties ?? {}).map(([name, property]) =>
    fieldOf(name, property, required.includes(name), schemas, within),
  );
  if (typeof additionalProperties !== 'object' || Object.keys(additionalProperties).length === 0)
    return propertyFields;
  return [...propertyFields, fieldOf('<any name>', additionalProperties, false, schemas, within)];
}

/** A field that alternatives of one object share is listed once. It is required only if every alternative requires it. */
function mergeAlternatives(alternatives: readonly (readonly Field[])[]): Field[] {
  const mergedFields = new Map<string, Field>();
  for (const field of alternatives.flat()) {
    const before = mergedFields.get(field.name);
    mergedFields.set(field.name, before ? join(before, field) : field);
  }
  return [...mergedFields.values()].map((field) => ({
    ...field,
    required:
      field.required && alternatives.every((fields) => fields.some(({ name }) => name === field.name)),
  }));
}

function join(a: Field, b: Field): Field {
  return {
    ...a,
    type: [...new Set([...a.type.split(' or '), ...b.type.split(' or ')])].join(' or '),
    required: a.required && b.required,
    description: a.description ?? b.description,
    limits: [...new Set([...a.limits, ...b.limits])],
    fields: mergeAlternatives([a.fields, b.fields].filter((fields) => fields.length > 0)),
  };
}

/** Field, parameter or header with all limits of its value. */
export function fieldOf(
  name: string,
  schema: Schema,
  required: boolean,
  schemas: Schemas,
  within: readonly string[] = [],
): Field {
  return {
    name,
    type: typeOf(schema, schemas),
    required,
    description: descriptionOf(schema, schemas),
    limits: limitsOf(schema, schemas),
    fields: fieldsOf(schema, schemas, within),
  };
}

/** Description of the schema, or of its only non-null alternative. */
function descriptionOf(schema: Schema, schemas: Schemas): string | null {
  const localSchema = resolve(schema, schemas).description;
  if (localSchema !== undefined) return localSchema;
  const [only, ...otherAlternatives] = alternativesOf(schema, schemas).filter(
    (each) => !isNull(resolve(each, schemas)),
  );
  return (otherAlternatives.length === 0 && only && resolve(only, schemas).description) || null;
}

function limitsOf(schema: Schema, schemas: Schemas): readonly string[] {
  const phrases = alternativesOf(schema, schemas).flatMap((each) => plainLimits(resolve(each, schemas)));
  const { default: value } = resolve(schema, schemas);
  return [...new Set(phrases), ...(value === undefined ? [] : [`Default: \`${JSON.stringify(value)}\`.`])];
}

function plainLimits(schema: Schema): string[] {
  const { enum: values, const: only, minLength, maxLength, minItems, maxItems, pattern, format } = schema;
  if (only !== undefined) return [`Always \`${JSON.stringify(only)}\`.`];
  if (values) return [`One of ${values.map((value) => `\`${JSON.stringify(value)}\``).join(', ')}.`];
  return [
    range(minLength, maxLength, 'character'),
    range(minItems, maxItems, 'item'),
    numbers(schema),
    // A format says the same as its pattern in fewer words.
    pattern === undefined || format !== undefined ? null : `Pattern: \`${pattern}\`.`,
  ].filter((phrase) => phrase !== null);
}

const english = new Intl.NumberFormat('en');
/** Text of a bound; bounds that only say "an integer that JavaScript can hold" are omitted. */
const boundText = (value: number | undefined) =>
  value === undefined || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? undefined : value;

function range(min: number | undefined, max: number | undefined, unit: string): string | null {
  const most = max ?? min ?? 0;
  const units = most === 1 ? unit : `${unit}s`;
  if (max === undefined) return min ? `At least ${english.format(min)} ${units}.` : null;
  if (min === max) return `${english.format(max)} ${units}.`;
  return min
    ? `${english.format(min)} to ${english.format(max)} ${units}.`
    : `At most ${english.format(max)} ${units}.`;
}

function numbers(schema: Schema): string | null {
  const [min, max] = [boundText(schema.minimum), boundText(schema.maximum)];
  if (min !== undefined && max !== undefined) return `${english.format(min)} to ${english.format(max)}.`;
  // A minimum of 0 is not mentioned, because it is obvious.
  if (min) return `At least ${english.format(min)}.`;
  return max === undefined ? null : `At most ${english.format(max)}.`;
}
