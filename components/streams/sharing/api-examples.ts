import { readCurl, readNode } from '@/components/ui/copy/sample-code';
import { quoteShellWord } from '@/lib/core/shell-word';

/** curl command that reads a stream. The API key is the environment variable HEADWATER_API_KEY. */
export const readStreamCurl = (baseUrl: string, id: string): string =>
  readCurl(`${baseUrl}/api/stream/${id}`);

/** Node.js code that reads a stream. The API key is the environment variable HEADWATER_API_KEY. */
export const readStreamNode = (baseUrl: string, id: string): string =>
  readNode(`${baseUrl}/api/stream/${id}`, 'stream', "stream.isActive ? 'live' : 'idle'");

/** curl command that lists streams, with the API key itself, so that it can be run as it is. */
export function listStreamsCurl(baseUrl: string, apiKey: string): string {
  return [`curl ${quoteShellWord(`${baseUrl}/api/stream`)}`, `  -H 'Authorization: Bearer ${apiKey}'`].join(
    ' \\\n',
  );
}

/** curl command that creates a stream. The API key is the environment variable HEADWATER_API_KEY. */
export function createStreamCurl(baseUrl: string): string {
  return [
    `curl -X POST ${quoteShellWord(`${baseUrl}/api/stream`)}`,
    '  -H "Authorization: Bearer $HEADWATER_API_KEY"',
    '  -H "Content-Type: application/json"',
    `  -d '{"name": "My first stream", "record": true}'`,
  ].join(' \\\n');
}
