import { createCall, emptyRequestInput, createSampleRequest } from '../samples/sample-request';
import { createSample } from '../samples/samples';
import type { Field } from './fields';
import type { Entry, Operation, Reference, WebhookEvent } from './reference';

const accessTexts = {
  public: 'No key is needed.',
  key: 'Needs an API key: `Authorization: Bearer <key>`.',
  session: 'Only the dashboard can call this endpoint: it needs a login, not an API key.',
} as const;

/** One operation as Markdown that can be read on its own, for example by a language model. */
export function operationMarkdown(operation: Operation, baseUrl: string): string {
  const { title, method, path, description, body, response, errors } = operation;
  const call = createCall(operation);
  const sample = createSample(
    'curl',
    createSampleRequest(call, emptyRequestInput(call), { baseUrl, key: '' }),
  );
  return [
    `## ${title}`,
    `\`${method} ${baseUrl}${path}\``,
    description,
    accessTexts[operation.access],
    section('Path parameters', fieldLines(operation.pathParameters)),
    section('Query parameters', fieldLines(operation.queryParameters)),
    section('Headers', fieldLines(operation.headers)),
    section('Body (JSON)', fieldLines(body?.fields ?? [])),
    section('Request', fence('sh', sample)),
    section(`Response ${response.status}`, responseText(response)),
    section('Errors', errors.map(({ status, meaning }) => `- ${status}: ${meaning}`).join('\n')),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

export function eventMarkdown({ title, description, fields, example }: WebhookEvent): string {
  return [
    `## Webhook event ${title}`,
    description,
    section('Body (JSON)', fieldLines(fields)),
    section('Example', fence('json', example)),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function responseText({ type, fields, example }: Operation['response']): string {
  if (type === null) return 'No body.';
  const exampleLines = example === null ? [] : [fence('json', example)];
  return [`Returns: ${type}.`, fieldLines(fields), ...exampleLines]
    .filter((part) => part !== '')
    .join('\n\n');
}

const section = (title: string, text: string): string => (text === '' ? '' : `### ${title}\n\n${text}`);

const fence = (language: string, code: string): string => ['```' + language, code, '```'].join('\n');

function fieldLines(fields: readonly Field[], indent = ''): string {
  return fields
    .map(({ name, type, required, description, limits, fields: nestedFields }) => {
      const fieldText = [description ?? '', ...limits].filter((text) => text !== '').join(' ');
      const line = `${indent}- \`${name}\` (${type}${required ? ', required' : ''})${fieldText === '' ? '' : `: ${fieldText}`}`;
      return nestedFields.length === 0 ? line : `${line}\n${fieldLines(nestedFields, `${indent}  `)}`;
    })
    .join('\n');
}

const introduction = `# Headwater

> Live streams and video assets, self-hosted. Requests and responses of the API are JSON, times are Unix milliseconds. An error has
> the body {"errors": [message, …]}; \`fields\` names the field of each message.`;

/** A list of all entries with links, in the format of llmstxt.org. */
export function referenceIndex({ baseUrl, entries }: Reference): string {
  const groups = [...new Set(entries.map(({ group }) => group))];
  const files = `- [Whole reference](${baseUrl}/llms-full.txt): every endpoint and event in one Markdown file
- [OpenAPI](${baseUrl}/api/openapi.json): the same for programs
- [What holds for every endpoint](${baseUrl}/docs): keys, errors, pages of lists, idempotency, rate limits, signed webhooks`;
  const groupList = groups.map((group) => {
    const lines = entries.filter((entry) => entry.group === group).map((entry) => indexLine(entry, baseUrl));
    return `## ${group}\n\n${lines.join('\n')}`;
  });
  return [introduction, files, ...groupList].join('\n\n');
}

function indexLine(entry: Entry, baseUrl: string): string {
  const link = `[${entry.title}](${baseUrl}/docs/${entry.id})`;
  return entry.kind === 'event' ? `- ${link}` : `- ${link}: \`${entry.method} ${entry.path}\``;
}

/** All entries in one document. */
export const referenceMarkdown = ({ baseUrl, entries }: Reference): string =>
  [
    introduction,
    ...entries.map((entry) =>
      entry.kind === 'event' ? eventMarkdown(entry) : operationMarkdown(entry, baseUrl),
    ),
  ].join('\n\n');
