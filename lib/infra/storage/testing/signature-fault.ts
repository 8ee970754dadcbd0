import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

interface AccessKey {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const authorizationFormat =
  /^AWS4-HMAC-SHA256 Credential=([^/,]+)\/(\d{8}\/[^/,]+\/s3\/aws4_request), ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/;

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/**
 * Checks the signature of a received request by AWS Signature Version 4.
 * @returns the S3 error code; null for a valid signature of the key
 */
export function findSignatureFault(request: IncomingMessage, key: AccessKey): string | null {
  const { headers, method = '', url = '' } = request;
  const [, id, scope = '', signedHeaders = '', signature = ''] =
    authorizationFormat.exec(headers.authorization ?? '') ?? [];
  if (id === undefined) return 'AccessDenied';
  if (id !== key.accessKeyId) return 'InvalidAccessKeyId';
  const [path = '', query = ''] = url.split('?', 2);
  const headerLines = signedHeaders
    .split(';')
    .map((name) => `${name}:${String(headers[name] ?? '').trim()}\n`);
  const payload = String(headers['x-amz-content-sha256'] ?? '');
  const canonicalRequest = [
    method,
    path,
    sortedQuery(query),
    headerLines.join(''),
    signedHeaders,
    payload,
  ].join('\n');
  const digest = createHash('sha256').update(canonicalRequest).digest('hex');
  const stringToSign = ['AWS4-HMAC-SHA256', String(headers['x-amz-date'] ?? ''), scope, digest].join('\n');
  const secret = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${key.secretAccessKey}`);
  const isValid = timingSafeEqual(hmac(secret, stringToSign), Buffer.from(signature, 'hex'));
  return isValid ? null : 'SignatureDoesNotMatch';
}

function sortedQuery(query: string): string {
  return query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => (pair.includes('=') ? pair : `${pair}=`))
    .sort()
    .join('&');
}
