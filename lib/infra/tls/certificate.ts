import { readFileSync, statSync } from 'node:fs';
import { createSecureContext } from 'node:tls';

/** Absolute paths of PEM files. Certificate and key may be in the same file. */
export interface CertificateFiles {
  /** Certificate of this machine, followed by intermediate certificates. */
  readonly cert: string;
  readonly key: string;
  /** CA of client certificates; absent if clients present none. */
  readonly ca?: string;
}

/** TLS identity of a server, and the CA of accepted clients. */
export interface TlsIdentity {
  readonly cert: string;
  readonly key: string;
  readonly ca?: string;
  readonly minVersion: 'TLSv1.2';
}

export interface CertificateLog {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** Interval between two checks of the certificate files. */
const checkIntervalMs = 5_000;

/** Certificate that is read again when its files change, so that it can be renewed while the process runs. */
export class Certificate {
  readonly #files: CertificateFiles;
  #read: { readonly stamp: string; readonly identity: TlsIdentity } | null = null;

  constructor(files: CertificateFiles) {
    this.#files = files;
  }

  /** Reads the files. Returns the same object until they change. @throws Error if they cannot be read or do not match */
  reload(): TlsIdentity {
    const { cert, key, ca } = this.#files;
    const stamp = [cert, key, ca].map((file) => (file === undefined ? '' : stampOf(file))).join();
    if (this.#read?.stamp === stamp) return this.#read.identity;
    const certText = textOf(cert);
    const identity: TlsIdentity = {
      cert: certText,
      // A file with both is read once, because it may be replaced between two reads.
      key: key === cert ? certText : textOf(key),
      ...(ca === undefined ? {} : { ca: textOf(ca) }),
      minVersion: 'TLSv1.2',
    };
    createSecureContext(identity);
    this.#read = { stamp, identity };
    return identity;
  }

  /** The current identity, or the previous one while the files are being replaced. */
  current(): TlsIdentity {
    try {
      return this.reload();
    } catch (error) {
      if (!this.#read) throw error;
      return this.#read.identity;
    }
  }

  /**
   * Calls `use` when the files have changed, and keeps the previous certificate while they are not usable.
   * @returns a function that stops watching
   */
  watch(use: (identity: TlsIdentity) => void, log: CertificateLog): () => void {
    let currentFiles = this.current();
    let lastProblem = '';
    const look = () => {
      try {
        const newFiles = this.reload();
        lastProblem = '';
        if (newFiles === currentFiles) return;
        use(newFiles);
        currentFiles = newFiles;
        log.info({ file: this.#files.cert }, 'certificate renewed');
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        if (message !== lastProblem)
          log.warn({ err: error }, 'certificate not renewed: the previous one is used');
        lastProblem = message;
      }
    };
    const timer = setInterval(look, checkIntervalMs);
    return () => clearInterval(timer);
  }
}

const textOf = (file: string): string => readFileSync(file, 'utf8');

function stampOf(file: string): string {
  const { mtimeMs, size, ino } = statSync(file);
  return `${mtimeMs}/${size}/${ino}`;
}

const contexts = new WeakMap<CertificateFiles, Certificate>();

/** The certificate of these settings, shared within the process. */
export function certificateOf(files: CertificateFiles): Certificate {
  const certificate = contexts.get(files) ?? new Certificate(files);
  contexts.set(files, certificate);
  return certificate;
}
