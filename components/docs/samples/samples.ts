import { quoteShellWord } from '@/lib/core/shell-word';
import { goSample } from './go-sample';
import { formatLiteral, python, typeScript } from './literal';
import type { SampleRequest } from './sample-request';

export const sampleLanguages = [
  { value: 'curl', label: 'curl' },
  { value: 'typescript', label: 'TypeScript' },
  { value: 'python', label: 'Python' },
  { value: 'go', label: 'Go' },
] as const;

export type SampleLanguage = (typeof sampleLanguages)[number]['value'];

export const isSampleLanguage = (value: string | undefined): value is SampleLanguage =>
  sampleLanguages.some((language) => language.value === value);

const sampleWriters: Readonly<Record<SampleLanguage, (request: SampleRequest) => string>> = {
  curl: curlSample,
  typescript: typeScriptSample,
  python: pythonSample,
  go: goSample,
};

/** Program or command that sends the request. Programs also print an error and stop. */
export const createSample = (language: SampleLanguage, request: SampleRequest): string =>
  sampleWriters[language](request);

function curlSample({ method, url, key, idempotencyKey, body }: SampleRequest): string {
  const needsNoMethod = method === (body === undefined ? 'GET' : 'POST');
  return [
    `curl ${quoteShellWord(url)}`,
    ...(needsNoMethod ? [] : [`-X ${method}`]),
    ...(key === null ? ['-H "Authorization: Bearer $HEADWATER_API_KEY"'] : []),
    ...(key ? [`-H ${quoteShellWord(`Authorization: Bearer ${key}`)}`] : []),
    ...(idempotencyKey ? [`-H ${quoteShellWord(`Idempotency-Key: ${idempotencyKey}`)}`] : []),
    ...(body === undefined
      ? []
      : [
          `-H ${quoteShellWord('Content-Type: application/json')}`,
          `-d ${quoteShellWord(JSON.stringify(body, null, 2))}`,
        ]),
  ].join(' \\\n  ');
}

function typeScriptSample({
  method,
  url,
  key,
  idempotencyKey,
  body,
  hasResponseBody,
}: SampleRequest): string {
  const quote = typeScript.string;
  const headers = [
    ...(key === null ? ['authorization: `Bearer ${process.env.HEADWATER_API_KEY}`'] : []),
    ...(key ? [`authorization: ${quote(`Bearer ${key}`)}`] : []),
    ...(idempotencyKey ? [`'idempotency-key': ${quote(idempotencyKey)}`] : []),
    ...(body === undefined ? [] : ["'content-type': 'application/json'"]),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length === 0 ? [] : ['  headers: {', ...headers.map((header) => `    ${header},`), '  },']),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${formatLiteral(body, typeScript, '  ')}),`]),
  ];
  return [
    ...(options.length === 0
      ? [`const response = await fetch(${quote(url)});`]
      : [`const response = await fetch(${quote(url)}, {`, ...options, '});']),
    'if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);',
    ...(hasResponseBody ? ['console.log(await response.json());'] : []),
  ].join('\n');
}

function pythonSample({ method, url, key, idempotencyKey, body, hasResponseBody }: SampleRequest): string {
  const quote = python.string;
  const headers = [
    ...(key === null ? [`"Authorization": f"Bearer {os.environ['HEADWATER_API_KEY']}"`] : []),
    ...(key ? [`"Authorization": ${quote(`Bearer ${key}`)}`] : []),
    ...(idempotencyKey ? [`"Idempotency-Key": ${quote(idempotencyKey)}`] : []),
  ];
  return [
    ...(key === null ? ['import os', ''] : []),
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    `    ${quote(url)},`,
    ...(headers.length === 0
      ? []
      : ['    headers={', ...headers.map((header) => `        ${header},`), '    },']),
    ...(body === undefined ? [] : [`    json=${formatLiteral(body, python, '    ')},`]),
    '    timeout=30,',
    ')',
    'if not response.ok:',
    '    raise SystemExit(f"{response.status_code}: {response.text}")',
    ...(hasResponseBody ? ['print(response.json())'] : []),
  ].join('\n');
}
