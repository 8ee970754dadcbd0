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

const refPrefix = '#/components/schemas/';

/** Generated names such as `__schema3` mean nothing to readers; `AssetOutput` is shown as the asset. */
const readableTypeName = (ref: string) => {
  const name = ref.slice(refPrefix.length);
  return name.startsWith('__') ? null : name.replace(/Output$/, '');
};

function resolveRef(schema: Schema, schemas: Schemas): Schema {
  if (schema.$ref === undefined) return schema;
  const target = schemas[schema.$ref.slice(refPrefix.length)] ?? {};
  const { $ref: _, ...schemaFields } = schema;
  return { ...resolveRef(target, schemas), ...schemaFields };
}

/** Alternatives of a schema, including `null`; the schema itself if it has no alternatives. */
function alternativesOf(schema: Schema, schemas: Schemas): readonly Schema[] {
  const { anyOf, oneOf } = resolveRef(schema, schemas);
  const alternatives = anyOf ?? oneOf;
  return alternatives
    ? alternatives.flatMap((alternative) => alternativesOf(alternative, schemas))
    : [schema];
}

const isNull = (schema: Schema) => schema.type === 'null';

/** Nesting depth at which the name of a type ends with "any", because a type can contain itself. */
const MAX_DEPTH = 3;

/** The name of a type for readers. */
export function typeOf(schema: Schema, schemas: Schemas, depth = 0): string {
  if (depth >= MAX_DEPTH) return 'any';
  const types = alternativesOf(schema, schemas).map((alternative) =>
    typeOfAlternative(alternative, schemas, depth),
  );
  return [...new Set(types)].join(' or ');
}

function typeOfAlternative(schema: Schema, schemas: Schemas, depth: number): string {
  const refName = schema.$ref === undefined ? null : readableTypeName(schema.$ref);
  const { type, items, format } = resolveRef(schema, schemas);
  if (typeof type === 'object') return type.join(' or ');
  if (type === 'array') return items ? `array of ${typeOf(items, schemas, depth + 1)}` : 'array';
  if (type === 'object' || type === undefined) return refName ?? (type === 'object' ? 'object' : 'any');
  return format === undefined || type !== 'string' ? type : `string (${format})`;
}

/**
 * Fields of an object schema, required fields first.
 * @param followedRefs references followed so far: a schema that contains itself is expanded once
 */
export function fieldsOf(
  schema: Schema,
  schemas: Schemas,
  followedRefs: readonly string[] = [],
): readonly Field[] {
  const { $ref } = schema;
  if ($ref !== undefined && followedRefs.includes($ref)) return [];
  const nextRefs = $ref === undefined ? followedRefs : [...followedRefs, $ref];
  const alternatives = alternativesOf(schema, schemas)
    .map((alternative) =>
      alternative === schema
        ? fieldsOfAlternative(alternative, schemas, nextRefs)
        : fieldsOf(alternative, schemas, nextRefs),
    )
    .filter((fields) => fields.length > 0);
  return mergeAlternatives(alternatives).sort((a, b) => Number(b.required) - Number(a.required));
}

function fieldsOfAlternative(
  schema: Schema,
  schemas: Schemas,
  followedRefs: readonly string[],
): readonly Field[] {
  const { properties, required = [], items, additionalProperties } = resolveRef(schema, schemas);
  if (items) return fieldsOf(items, schemas, followedRefs);
  const propertyFields = Object.entries(properties ?? {}).map(([name, property]) =>
    fieldOf(name, property, required.includes(name), schemas, followedRefs),
  );
  if (typeof additionalProperties !== 'object' || Object.keys(additionalProperties).length === 0)
    return propertyFields;
  return [...propertyFields, fieldOf('<any name>', additionalProperties, false, schemas, followedRefs)];
}

/** Lists a field that several alternatives have once. It is required only if every alternative requires it. */
function mergeAlternatives(alternatives: readonly (readonly Field[])[]): Field[] {
  const mergedFields = new Map<string, Field>();
  for (const field of alternatives.flat()) {
    const earlierField = mergedFields.get(field.name);
    mergedFields.set(field.name, earlierField ? mergeFields(earlierField, field) : field);
  }
  return [...mergedFields.values()].map((field) => ({
    ...field,
    required:
      field.required && alternatives.every((fields) => fields.some(({ name }) => name === field.name)),
  }));
}

function mergeFields(a: Field, b: Field): Field {
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
  followedRefs: readonly string[] = [],
): Field {
  return {
    name,
    type: typeOf(schema, schemas),
    required,
    description: descriptionOf(schema, schemas),
    limits: limitsOf(schema, schemas),
    fields: fieldsOf(schema, schemas, followedRefs),
  };
}

/** Description of the schema, or of its only non-null alternative. */
function descriptionOf(schema: Schema, schemas: Schemas): string | null {
  const ownDescription = resolveRef(schema, schemas).description;
  if (ownDescription !== undefined) return ownDescription;
  const [onlyAlternative, ...otherAlternatives] = alternativesOf(schema, schemas).filter(
    (alternative) => !isNull(resolveRef(alternative, schemas)),
  );
  return (
    (otherAlternatives.length === 0 && onlyAlternative && resolveRef(onlyAlternative, schemas).description) ||
    null
  );
}

function limitsOf(schema: Schema, schemas: Schemas): readonly string[] {
  const phrases = alternativesOf(schema, schemas).flatMap((alternative) =>
    limitsOfAlternative(resolveRef(alternative, schemas)),
  );
  const { default: value } = resolveRef(schema, schemas);
  return [...new Set(phrases), ...(value === undefined ? [] : [`Default: \`${JSON.stringify(value)}\`.`])];
}

function limitsOfAlternative(schema: Schema): string[] {
  const { enum: values, const: constant, minLength, maxLength, minItems, maxItems, pattern, format } = schema;
  if (constant !== undefined) return [`Always \`${JSON.stringify(constant)}\`.`];
  if (values) return [`One of ${values.map((value) => `\`${JSON.stringify(value)}\``).join(', ')}.`];
  return [
    lengthRange(minLength, maxLength, 'character'),
    lengthRange(minItems, maxItems, 'item'),
    numberRange(schema),
    // A format says the same as its pattern in fewer words.
    pattern === undefined || format !== undefined ? null : `Pattern: \`${pattern}\`.`,
  ].filter((phrase) => phrase !== null);
}

const english = new Intl.NumberFormat('en');
/** The bound, or undefined if it only says that JavaScript can represent the integer. */
const shownBound = (value: number | undefined) =>
  value === undefined || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? undefined : value;

function lengthRange(min: number | undefined, max: number | undefined, unit: string): string | null {
  const maxCount = max ?? min ?? 0;
  const units = maxCount === 1 ? unit : `${unit}s`;
  if (max === undefined) return min ? `At least ${english.format(min)} ${units}.` : null;
  if (min === max) return `${english.format(max)} ${units}.`;
  return min
    ? `${english.format(min)} to ${english.format(max)} ${units}.`
    : `At most ${english.format(max)} ${units}.`;
}

function numberRange(schema: Schema): string | null {
  const [min, max] = [shownBound(schema.minimum), shownBound(schema.maximum)];
  if (min !== undefined && max !== undefined) return `${english.format(min)} to ${english.format(max)}.`;
  // A minimum of 0 is not mentioned, because it is obvious.
  if (min) return `At least ${english.format(min)}.`;
  return max === undefined ? null : `At most ${english.format(max)}.`;
}
