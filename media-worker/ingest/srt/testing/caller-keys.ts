import { createCipheriv, pbkdf2Sync, randomBytes } from 'node:crypto';

type Slot = 'even' | 'odd';
const slotBits = { even: 1, odd: 2 } as const;

/** The keys of a publisher: encrypts, and announces its keys wrapped with the passphrase. */
export class CallerKeys {
  readonly #keyEncryptionKey: Buffer;
  readonly #salt = randomBytes(16);
  readonly #keyBytes: number;
  readonly #keys = new Map<Slot, Buffer>();
  #slot: Slot = 'even';

  constructor(passphrase: string, keyBytes: number) {
    this.#keyBytes = keyBytes;
    this.#keyEncryptionKey = pbkdf2Sync(passphrase, this.#salt.subarray(8), 2_048, keyBytes, 'sha1');
    this.#keys.set('even', randomBytes(keyBytes));
  }

  get slotBit(): number {
    return slotBits[this.#slot];
  }

  get keyMaterialMessage(): Buffer {
    const slots = (['even', 'odd'] as const).filter((slot) => this.#keys.has(slot));
    const keys = Buffer.concat(slots.map((slot) => this.#keys.get(slot) ?? Buffer.alloc(0)));
    const cipher = createCipheriv(
      `id-aes${this.#keyBytes * 8}-wrap`,
      this.#keyEncryptionKey,
      Buffer.alloc(8, 0xa6),
    );
    const wrappedKeys = Buffer.concat([cipher.update(keys), cipher.final()]);
    // Version and type, signature, key flags, cipher (AES-CTR), content (MPEG-TS), lengths of salt and key in words.
    const header = Buffer.alloc(16);
    header.writeUInt8(0x12, 0);
    header.writeUInt16BE(0x2029, 1);
    header.writeUInt8(
      slots.reduce((sum, slot) => sum | slotBits[slot], 0),
      3,
    );
    header.writeUInt8(2, 8);
    header.writeUInt8(2, 10);
    header.writeUInt8(4, 14);
    header.writeUInt8(this.#keyBytes / 4, 15);
    return Buffer.concat([header, this.#salt, wrappedKeys]);
  }

  /**
   * Creates a key for the other slot and encrypts with it.
   * @returns the message with both keys
   */
  changeKey(): Buffer {
    this.#slot = this.#slot === 'even' ? 'odd' : 'even';
    this.#keys.set(this.#slot, randomBytes(this.#keyBytes));
    return this.keyMaterialMessage;
  }

  encrypt(sequence: number, payload: Buffer): Buffer {
    const key = this.#keys.get(this.#slot) ?? Buffer.alloc(0);
    const initialCounter = Buffer.concat([this.#salt.subarray(0, 14), Buffer.alloc(2)]);
    initialCounter.writeUInt32BE((initialCounter.readUInt32BE(10) ^ sequence) >>> 0, 10);
    return createCipheriv(`aes-${this.#keyBytes * 8}-ctr`, key, initialCounter).update(payload);
  }
}
