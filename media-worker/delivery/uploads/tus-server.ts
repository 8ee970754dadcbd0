import { Server } from '@tus/server';
import type { Issue } from '@/lib/core/errors';
import { createErrorBody } from '@/lib/core/reasons/reason';

type Write = Server['write'];

/** `Retry-After` of responses with status 503 or 507, in seconds. */
const RETRY_SECONDS = 5;

/** A tus 1.0 server with the error body of this product, which also replaces errors of the library. */
export class TusServer extends Server {
  override write(...[context, headers, status, body = '']: Parameters<Write>): ReturnType<Write> {
    if (status < 400) return super.write(context, headers, status, body);
    headers.set('Content-Type', 'application/json');
    headers.set('Cache-Control', 'no-store');
    if (status === 503 || status === 507) headers.set('Retry-After', String(RETRY_SECONDS));
    const jsonBody = body.startsWith('{') ? body : JSON.stringify(createErrorBody([parseIssue(body)]));
    return super.write(context, headers, status, jsonBody);
  }
}

/** The issue that a message of the tus library reports, such as "Invalid upload-offset". */
function parseIssue(text: string): Issue {
  const [, names] = /^Invalid ([a-z -]+)$/.exec(text.trim()) ?? [];
  if (names !== undefined)
    return { field: names.split(' ').join(', '), message: 'the value of this header is not valid.' };
  if (text.startsWith('Tus-Resumable'))
    return { field: 'Tus-Resumable', message: 'send this header with the value 1.0.0.' };
  return text.trim();
}
