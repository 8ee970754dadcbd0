import { createHash, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import { baseUrl } from './test-api';
import { omitUndefined } from '@/lib/core/omit-undefined';

const digest = (data: Uint8Array | string) => createHash('sha256').update(data).digest();
const base64url = (data: Uint8Array | string) => Buffer.from(data).toString('base64url');

/** Flags of the authenticator data (WebAuthn, section 6.1). */
const [userPresentFlag, userVerifiedFlag, hasCredentialFlag] = [0x01, 0x04, 0x40];

/** Values of one registration or sign-in. The defaults are those that the service accepts. */
interface CeremonyOptions {
  readonly challenge: string;
  readonly origin?: string;
  readonly rpId?: string;
  /** Whether the flag "user verified" is set: the person entered a PIN or used biometrics. */
  readonly isUserVerified?: boolean;
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
        // COSE key parameters (RFC 9053): key type EC2, algorithm ES256, curve P-256, coordinates.
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, decodeCoordinate(x)],
        [-3, decodeCoordinate(y)],
      ]),
    );
  }

  /** Creates a `RegistrationResponseJSON`. */
  register(options: CeremonyOptions) {
    const id = Buffer.from(this.id, 'base64url');
    const idLength = Buffer.alloc(2);
    idLength.writeUInt16BE(id.length);
    const noAaguid = Buffer.alloc(16);
    const credential = Buffer.concat([noAaguid, idLength, id, this.publicKeyCose]);
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
  sign(options: CeremonyOptions) {
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

  private authenticatorData(
    { rpId = 'localhost', isUserVerified = true }: CeremonyOptions,
    moreFlags: number,
  ): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    return Buffer.concat([
      digest(rpId),
      Buffer.from([userPresentFlag | (isUserVerified ? userVerifiedFlag : 0) | moreFlags]),
      counter,
    ]);
  }
}

const formatClientData = (type: string, { challenge, origin = baseUrl }: CeremonyOptions) =>
  JSON.stringify({ type, challenge, origin, crossOrigin: false });
