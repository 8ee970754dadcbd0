import { createHmac } from 'node:crypto';

export interface Signed {
  /** The event's id: receivers recognise repeats by it. */
  readonly id: string;
  /** Milliseconds: the `timestamp` of the body. */
  readonly timestamp: number;
  /** The exact bytes that are sent. */
  readonly body: string;
  /** The current secret first; during a roll the one before it as well. */
  readonly secrets: readonly string[];
}

/**
 * The signature headers of a delivery, in two formats: `Livepeer-Signature` and
 * Standard Webhooks. Each holds one signature for each secret.
 */
export function signatureHeaders({ id, timestamp, body, secrets }: Signed): Record<string, string> {
  const seconds = Math.floor(timestamp / 1000);
  const plain = secrets.map((secret) => `v1=${hmac(secret, body).toString('hex')}`);
  const standard = secrets.map((secret) => {
    const signature = hmac(standardKey(secret), `${id}.${seconds}.${body}`);
    return `v1,${signature.toString('base64')}`;
  });
  return {
    'livepeer-signature': [`t=${timestamp}`, ...plain].join(','),
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': standard.join(' '),
  };
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text, 'utf8').digest();

/** `whsec_` and base64 spell the key's bytes; a secret that its owner made up is taken as it stands. */
function standardKey(secret: string): Buffer {
  const [, base64 = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? [];
  const bytes = Buffer.from(base64, 'base64');
  return bytes.length > 0 && base64.length % 4 === 0 ? bytes : Buffer.from(secret, 'utf8');
}
