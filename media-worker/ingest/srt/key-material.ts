import { createDecipheriv, pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { CounterCipher } from './counter-cipher';
import type { DataPacket, KeySlot } from './srt-packet';

/** Key material messages (draft-sharabayko-srt-01 §3.2.2 and §6). */

const HEADER_BYTES = 16;
const SALT_BYTES = 16;
/** Bytes that key wrapping (RFC 3394) adds to the keys. */
const WRAP_BYTES = 8;
/** Version 1 and packet type 2 (key material) in one byte. */
const FIRST_BYTE = 0x12;
/** "HAI" in PnP vendor encoding, as the draft requires. */
const SIGNATURE = 0x2029;
/** Cipher number of AES-CTR. */
const AES_CTR = 2;
const PBKDF2_ITERATIONS = 2_048;
/** Default initial value of key wrapping (RFC 3394 §2.2.3.1). */
const WRAP_IV = Buffer.alloc(WRAP_BYTES, 0xa6);

const deriveKey = promisify(pbkdf2);

/** The keys of an encoder, wrapped with its passphrase. */
export interface KeyMaterial {
  /** Slots of the contained keys, in order. */
  readonly slots: readonly KeySlot[];
  readonly keyBytes: 16 | 24 | 32;
  readonly salt: Buffer;
  readonly wrappedKeys: Buffer;
}

/** Slots of the keys in a message, by its flags. */
const slotsByFlags: Readonly<Record<number, readonly KeySlot[]>> = {
  1: ['even'],
  2: ['odd'],
  3: ['even', 'odd'],
};

/** Parses a message; null if it is malformed or not for AES-CTR. */
export function parseKeyMaterial(message: Buffer): KeyMaterial | null {
  if (message.length < HEADER_BYTES + SALT_BYTES) return null;
  const isKnown =
    message[0] === FIRST_BYTE && message.readUInt16BE(1) === SIGNATURE && message.readUInt8(8) === AES_CTR;
  const slots = slotsByFlags[message.readUInt8(3) & 3];
  const keyBytes = 4 * message.readUInt8(15);
  if (!isKnown || !slots || 4 * message.readUInt8(14) !== SALT_BYTES) return null;
  if (keyBytes !== 16 && keyBytes !== 24 && keyBytes !== 32) return null;
  const end = HEADER_BYTES + SALT_BYTES + slots.length * keyBytes + WRAP_BYTES;
  if (message.length < end) return null;
  const salt = Buffer.from(message.subarray(HEADER_BYTES, HEADER_BYTES + SALT_BYTES));
  return { slots, keyBytes, salt, wrappedKeys: message.subarray(HEADER_BYTES + SALT_BYTES, end) };
}

/** The ciphers of one connection. The encoder replaces the key of one slot while the other slot is in use. */
export class StreamCipher {
  readonly #passphrase: string;
  readonly #ciphers = new Map<KeySlot, CounterCipher>();

  constructor(passphrase: string) {
    this.#passphrase = passphrase;
  }

  /**
   * Installs the keys of a message.
   * @returns false if the keys are wrapped with another passphrase
   */
  async installKeys({ slots, keyBytes, salt, wrappedKeys }: KeyMaterial): Promise<boolean> {
    // Only the last eight bytes of the salt are used for the derivation (draft-sharabayko-srt-01 §6.1.4).
    const keyEncryptionKey = await deriveKey(
      this.#passphrase,
      salt.subarray(8),
      PBKDF2_ITERATIONS,
      keyBytes,
      'sha1',
    );
    const keys = unwrapKeys(keyEncryptionKey, wrappedKeys);
    if (!keys) return false;
    for (const [index, slot] of slots.entries()) {
      const key = keys.subarray(index * keyBytes, (index + 1) * keyBytes);
      this.#ciphers.set(slot, new CounterCipher(key, salt));
    }
    return true;
  }

  /** Decrypts a packet; null if its key is unknown, or the packet is not encrypted. */
  decrypt({ keySlot: slot, sequence, payload }: DataPacket): Buffer | null {
    const cipher = slot === null || slot === 'both' ? undefined : this.#ciphers.get(slot);
    return cipher?.decrypt(sequence, payload) ?? null;
  }
}

/** Unwraps keys (RFC 3394); null if the check value is wrong. */
function unwrapKeys(keyEncryptionKey: Buffer, wrappedKeys: Buffer): Buffer | null {
  try {
    const decipher = createDecipheriv(`id-aes${keyEncryptionKey.length * 8}-wrap`, keyEncryptionKey, WRAP_IV);
    return Buffer.concat([decipher.update(wrappedKeys), decipher.final()]);
  } catch {
    return null; // OpenSSL reports a wrong check value as a generic error
  }
}
