import { readCurl, readNode } from '@/components/ui/copy/sample-code';
import { quoteShellWord } from '@/lib/core/shell-word';

export const readStreamCurl = (baseUrl: string, id: string): string =>
  readCurl(`${baseUrl}/api/stream/${id}`);

export const readStreamNode = (baseUrl: string, id: string): string =>
  readNode(`${baseUrl}/api/stream/${id}`, 'stream', "stream.isActive ? 'live' : 'idle'");

/** Command that lists streams with this key. */
export function listStreamsCurl(baseUrl: string, secret: string): string {
  return [`curl ${quoteShellWord(`${baseUrl}/api/stream`)}`, `  -H 'Authorization: Bearer ${secret}'`].join(
    ' \\\n',
  );
}

export function createStreamCurl(baseUrl: string): string {
  return [
    `curl -X POST ${quoteShellWord(`${baseUrl}/api/stream`)}`,
    '  -H "Authorization: Bearer $HEADWATER_API_KEY"',
    '  -H "Content-Type: application/json"',
    `  -d '{"name": "My first stream", "record": true}'`,
  ].join(' \\\n');
}
