import { createHash, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import { baseUrl } from './test-api';
import { omitUndefined } from '@/lib/core/omit-undefined';

const digest = (data: Uint8Array | string) => createHash('sha256').update(data).digest();
const base64url = (data: Uint8Array | string) => Buffer.from(data).toString('base64url');

/** Flags of authenticator data (WebAuthn). */
const [userPresentFlag, userVerifiedFlag, hasCredentialFlag] = [0x01, 0x04, 0x40];

interface Options {
  readonly challenge: string;
  readonly origin?: string;
  readonly rpId?: string;
  readonly verified?: boolean;
  readonly userHandle?: string;
}

/** A security key in software with one passkey: ES256, with a counter. Each signed field can be given a wrong value. */
export class SoftwareAuthenticator {
  readonly id = base64url(crypto.getRandomValues(new Uint8Array(16)));
  private readonly key: KeyObject;
  private readonly publicKeyCose: Uint8Array;
  counter = 0;

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.key = privateKey;
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    const decodeCoordinate = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));
    this.publicKeyCose = isoCBOR.encode(
      new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, decodeCoordinate(x)],
        [-3, decodeCoordinate(y)],
      ]),
    );
  }

  /** Creates a `RegistrationResponseJSON`. */
  register(options: Options) {
    const id = Buffer.from(this.id, 'base64url');
    const idLength = Buffer.alloc(2);
    idLength.writeUInt16BE(id.length);
    const credential = Buffer.concat([Buffer.alloc(16), idLength, id, this.publicKeyCose]);
    const authData = new Uint8Array(
      Buffer.concat([this.authenticatorData(options, hasCredentialFlag), credential]),
    );
    const attestation = new Map<string, Parameters<typeof isoCBOR.encode>[0]>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ]);
    return this.wrapResponse({
      clientDataJSON: base64url(formatClientData('webauthn.create', options)),
      attestationObject: base64url(isoCBOR.encode(attestation)),
      transports: ['internal'],
    });
  }

  /** Creates an `AuthenticationResponseJSON`. */
  sign(options: Options) {
    this.counter += 1;
    const authenticatorData = this.authenticatorData(options, 0);
    const clientDataText = formatClientData('webauthn.get', options);
    const signedBytes = Buffer.concat([authenticatorData, digest(clientDataText)]);
    return this.wrapResponse({
      clientDataJSON: base64url(clientDataText),
      authenticatorData: base64url(authenticatorData),
      signature: base64url(createSign('sha256').update(signedBytes).sign(this.key)),
      ...omitUndefined({ userHandle: options.userHandle }),
    });
  }

  private wrapResponse<T extends object>(response: T) {
    return { id: this.id, rawId: this.id, type: 'public-key', response, clientExtensionResults: {} } as const;
  }

  private authenticatorData({ rpId = 'localhost', verified = true }: Options, moreFlags: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    return Buffer.concat([
      digest(rpId),
      Buffer.from([userPresentFlag | (verified ? userVerifiedFlag : 0) | moreFlags]),
      counter,
    ]);
  }
}

const formatClientData = (type: string, { challenge, origin = baseUrl }: Options) =>
  JSON.stringify({ type, challenge, origin, crossOrigin: false });
