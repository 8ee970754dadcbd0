import type { SampleRequest } from './sample-request';

/** The escapes of a JSON string mean the same in Go. */
const text = (value: string) => JSON.stringify(value);

/** Raw strings can contain everything but backquotes and carriage returns, which Go removes. */
const rawText = (value: string) => (/[`\r]/.test(value) ? text(value) : `\`${value}\``);

const stopOnError = ['\tif err != nil {', '\t\tlog.Fatal(err)', '\t}'];

export function goSample(request: SampleRequest): string {
  const { method, url, body, answers } = request;
  return [
    'package main',
    '',
    'import (',
    ...importsOf(request).map((name) => `\t"${name}"`),
    ')',
    '',
    'func main() {',
    ...(body === undefined ? [] : [`\tbody := strings.NewReader(${rawText(JSON.stringify(body, null, 2))})`]),
    `\trequest, err := http.NewRequest("${method}", ${text(url)}, ${body === undefined ? 'nil' : 'body'})`,
    ...stopOnError,
    ...headersOf(request),
    '\tresponse, err := http.DefaultClient.Do(request)',
    ...stopOnError,
    '\tdefer response.Body.Close()',
    '\tanswer, err := io.ReadAll(response.Body)',
    ...stopOnError,
    '\tif response.StatusCode >= 300 {',
    '\t\tlog.Fatalf("%s: %s", response.Status, answer)',
    '\t}',
    ...(answers ? ['\tfmt.Println(string(answer))'] : []),
    '}',
  ].join('\n');
}

/** Unused imports do not compile in Go. */
function importsOf({ key, body, answers }: SampleRequest): string[] {
  return [
    ...(answers ? ['fmt'] : []),
    'io',
    'log',
    'net/http',
    ...(key === null ? ['os'] : []),
    ...(body === undefined ? [] : ['strings']),
  ];
}

function headersOf({ key, idempotencyKey, body }: SampleRequest): string[] {
  return [
    ...(key === null
      ? ['\trequest.Header.Set("Authorization", "Bearer "+os.Getenv("HEADWATER_API_KEY"))']
      : []),
    ...(key ? [`\trequest.Header.Set("Authorization", ${text(`Bearer ${key}`)})`] : []),
    ...(idempotencyKey ? [`\trequest.Header.Set("Idempotency-Key", ${text(idempotencyKey)})`] : []),
    ...(body === undefined ? [] : ['\trequest.Header.Set("Content-Type", "application/json")']),
  ];
}
