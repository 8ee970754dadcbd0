export type OpenApiDocument = Readonly<Record<string, unknown>>;

const methods = ['get', 'post', 'put', 'patch', 'delete'];

/**
 * The OpenAPI document as the page shows it: calls go to where the page came from, and a browser session is
 * nothing to type in, so only keys are asked for.
 * @param origin of the page
 */
export function documentFor(document: OpenApiDocument, origin: string): OpenApiDocument {
  const components = objectOf(document['components']);
  const { apiKey } = objectOf(components['securitySchemes']);
  return {
    ...document,
    servers: [{ url: origin }],
    components: { ...components, securitySchemes: apiKey === undefined ? {} : { apiKey } },
    paths: mapValues(objectOf(document['paths']), (path) =>
      mapValues(objectOf(path), (operation, name) =>
        methods.includes(name) ? withoutSession(withoutKeys(objectOf(operation))) : operation,
      ),
    ),
  };
}

function withoutSession(operation: OpenApiDocument): OpenApiDocument {
  const { security } = operation;
  if (!Array.isArray(security)) return operation;
  return { ...operation, security: security.filter((scheme) => !('session' in objectOf(scheme))) };
}

/** The form starts with the examples: an Idempotency-Key in it would give every call the answer of the first. */
function withoutKeys(operation: OpenApiDocument): OpenApiDocument {
  const { parameters } = operation;
  if (!Array.isArray(parameters)) return operation;
  return { ...operation, parameters: parameters.map((each) => withoutExample(objectOf(each))) };
}

function withoutExample(parameter: OpenApiDocument): OpenApiDocument {
  if (parameter['in'] !== 'header') return parameter;
  const schema = Object.entries(objectOf(parameter['schema'])).filter(([name]) => name !== 'example');
  return { ...parameter, schema: Object.fromEntries(schema) };
}

function objectOf(value: unknown): OpenApiDocument {
  return typeof value === 'object' && value !== null ? (value as OpenApiDocument) : {};
}

function mapValues(object: OpenApiDocument, change: (value: unknown, name: string) => unknown) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));
}
