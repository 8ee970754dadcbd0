import { createHash, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import { baseUrl } from './test-api';
import { defined } from '@/lib/core/defined';

const digest = (data: Uint8Array | string) => createHash('sha256').update(data).digest();
const base64url = (data: Uint8Array | string) => Buffer.from(data).toString('base64url');

/** Flags of authenticator data: user present, user verified, with a credential. */
const [up, uv, at] = [0x01, 0x04, 0x40];

interface Options {
  readonly challenge: string;
  readonly origin?: string;
  readonly rpId?: string;
  readonly verified?: boolean;
  readonly userHandle?: string;
}

/** One passkey of a software security key: ES256, with a counter. Each signed field can be made wrong. */
export class SoftwareAuthenticator {
  readonly id = base64url(crypto.getRandomValues(new Uint8Array(16)));
  private readonly key: KeyObject;
  private readonly cose: Uint8Array;
  counter = 0;

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.key = privateKey;
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    const coordinate = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));
    this.cose = isoCBOR.encode(
      new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, coordinate(x)],
        [-3, coordinate(y)],
      ]),
    );
  }

  /** RegistrationResponseJSON */
  register(options: Options) {
    const id = Buffer.from(this.id, 'base64url');
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const credential = Buffer.concat([Buffer.alloc(16), length, id, this.cose]);
    const authData = new Uint8Array(Buffer.concat([this.authenticatorData(options, at), credential]));
    const attestation = new Map<string, Parameters<typeof isoCBOR.encode>[0]>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ]);
    return this.response({
      clientDataJSON: base64url(clientData('webauthn.create', options)),
      attestationObject: base64url(isoCBOR.encode(attestation)),
      transports: ['internal'],
    });
  }

  /** AuthenticationResponseJSON */
  sign(options: Options) {
    this.counter += 1;
    const authenticatorData = this.authenticatorData(options, 0);
    const client = clientData('webauthn.get', options);
    const signedBytes = Buffer.concat([authenticatorData, digest(client)]);
    return this.response({
      clientDataJSON: base64url(client),
      authenticatorData: base64url(authenticatorData),
      signature: base64url(createSign('sha256').update(signedBytes).sign(this.key)),
      ...defined({ userHandle: options.userHandle }),
    });
  }

  private response<T extends object>(response: T) {
    return { id: this.id, rawId: this.id, type: 'public-key', response, clientExtensionResults: {} } as const;
  }

  private authenticatorData({ rpId = 'localhost', verified = true }: Options, more: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    return Buffer.concat([digest(rpId), Buffer.from([up | (verified ? uv : 0) | more]), counter]);
  }
}

const clientData = (type: string, { challenge, origin = baseUrl }: Options) =>
  JSON.stringify({ type, challenge, origin, crossOrigin: false });
