import { createHmac } from 'node:crypto';

/** What the signatures of a delivery cover, and the secrets that sign it. */
export interface SignatureInput {
  /** Event id, by which receivers detect repeated deliveries. */
  readonly id: string;
  /** The `timestamp` of the body, in milliseconds. */
  readonly timestamp: number;
  /** The exact bytes that are sent. */
  readonly body: string;
  /** The current secret, followed by the previous one during an overlap. */
  readonly secrets: readonly string[];
}

/**
 * Signature headers of a delivery in two formats, `Livepeer-Signature` and Standard Webhooks
 * (https://www.standardwebhooks.com), each with one signature per secret.
 */
export function signatureHeaders({ id, timestamp, body, secrets }: SignatureInput): Record<string, string> {
  const seconds = Math.floor(timestamp / 1000);
  const livepeerSignatures = secrets.map((secret) => `v1=${hmac(secret, body).toString('hex')}`);
  const standardSignatures = secrets.map((secret) => {
    const signature = hmac(standardKey(secret), `${id}.${seconds}.${body}`);
    return `v1,${signature.toString('base64')}`;
  });
  return {
    'livepeer-signature': [`t=${timestamp}`, ...livepeerSignatures].join(','),
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': standardSignatures.join(' '),
  };
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text, 'utf8').digest();

/** Key of a secret for Standard Webhooks: `whsec_<base64>` is decoded, any other text is used as raw bytes. */
function standardKey(secret: string): Buffer {
  const [, base64 = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? [];
  const bytes = Buffer.from(base64, 'base64');
  return bytes.length > 0 && base64.length % 4 === 0 ? bytes : Buffer.from(secret, 'utf8');
}
