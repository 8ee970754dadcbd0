import type { SampleRequest } from './sample-request';

/** String literal of Go in quotes. The escapes of a JSON string have the same meaning in it. */
const quoteGoString = (value: string) => JSON.stringify(value);

/**
 * Raw string literal. It cannot contain backquotes, and Go removes carriage returns from it, so other texts are
 * quoted.
 */
const goStringLiteral = (value: string) => (/[`\r]/.test(value) ? quoteGoString(value) : `\`${value}\``);

const stopOnError = ['\tif err != nil {', '\t\tlog.Fatal(err)', '\t}'];

export function goSample(request: SampleRequest): string {
  const { method, url, body, hasResponseBody } = request;
  return [
    'package main',
    '',
    'import (',
    ...importsOf(request).map((name) => `\t"${name}"`),
    ')',
    '',
    'func main() {',
    ...(body === undefined
      ? []
      : [`\tbody := strings.NewReader(${goStringLiteral(JSON.stringify(body, null, 2))})`]),
    `\trequest, err := http.NewRequest("${method}", ${quoteGoString(url)}, ${body === undefined ? 'nil' : 'body'})`,
    ...stopOnError,
    ...headersOf(request),
    '\tresponse, err := http.DefaultClient.Do(request)',
    ...stopOnError,
    '\tdefer response.Body.Close()',
    '\tresponseBody, err := io.ReadAll(response.Body)',
    ...stopOnError,
    '\tif response.StatusCode >= 300 {',
    '\t\tlog.Fatalf("%s: %s", response.Status, responseBody)',
    '\t}',
    ...(hasResponseBody ? ['\tfmt.Println(string(responseBody))'] : []),
    '}',
  ].join('\n');
}

/** Only the packages that the sample uses, because Go rejects unused imports. */
function importsOf({ key, body, hasResponseBody }: SampleRequest): string[] {
  return [
    ...(hasResponseBody ? ['fmt'] : []),
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
    ...(key ? [`\trequest.Header.Set("Authorization", ${quoteGoString(`Bearer ${key}`)})`] : []),
    ...(idempotencyKey ? [`\trequest.Header.Set("Idempotency-Key", ${quoteGoString(idempotencyKey)})`] : []),
    ...(body === undefined ? [] : ['\trequest.Header.Set("Content-Type", "application/json")']),
  ];
}
