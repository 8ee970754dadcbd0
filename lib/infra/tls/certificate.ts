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
const CHECK_INTERVAL_MS = 5_000;

/**
 * A certificate with its key. Both are read again when their files change, so that they can be renewed while the process
 * runs.
 */
export class Certificate {
  readonly #files: CertificateFiles;
  #loaded: { readonly fileVersion: string; readonly identity: TlsIdentity } | null = null;

  constructor(files: CertificateFiles) {
    this.#files = files;
  }

  /**
   * Reads the files. Returns the same object until they change.
   * @throws Error if they cannot be read or do not match
   */
  reload(): TlsIdentity {
    const { cert, key, ca } = this.#files;
    const fileVersion = [cert, key, ca].map((file) => (file === undefined ? '' : fileVersionOf(file))).join();
    if (this.#loaded?.fileVersion === fileVersion) return this.#loaded.identity;
    const certText = readText(cert);
    const identity: TlsIdentity = {
      cert: certText,
      // A file with both certificate and key is read once, because it may be replaced between two reads.
      key: key === cert ? certText : readText(key),
      ...(ca === undefined ? {} : { ca: readText(ca) }),
      minVersion: 'TLSv1.2',
    };
    createSecureContext(identity);
    this.#loaded = { fileVersion, identity };
    return identity;
  }

  /**
   * The current identity. While the files are unusable, the previous identity.
   * @throws Error if the files were never usable
   */
  current(): TlsIdentity {
    try {
      return this.reload();
    } catch (error) {
      if (!this.#loaded) throw error;
      return this.#loaded.identity;
    }
  }

  /**
   * Calls `onChange` when the files have changed. While they are unusable, the previous certificate stays in use.
   * @returns a function that stops watching
   */
  watch(onChange: (identity: TlsIdentity) => void, log: CertificateLog): () => void {
    let currentIdentity = this.current();
    let lastProblem = '';
    const checkFiles = () => {
      try {
        const newIdentity = this.reload();
        lastProblem = '';
        if (newIdentity === currentIdentity) return;
        onChange(newIdentity);
        currentIdentity = newIdentity;
        log.info({ file: this.#files.cert }, 'certificate renewed');
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        if (message !== lastProblem)
          log.warn({ err: error }, 'certificate not renewed: the previous one is used');
        lastProblem = message;
      }
    };
    const timer = setInterval(checkFiles, CHECK_INTERVAL_MS);
    return () => clearInterval(timer);
  }
}

const readText = (file: string): string => readFileSync(file, 'utf8');

/** A text that changes with the content of a file. */
function fileVersionOf(file: string): string {
  const { mtimeMs, size, ino } = statSync(file);
  return `${mtimeMs}/${size}/${ino}`;
}

const certificates = new WeakMap<CertificateFiles, Certificate>();

/** The certificate of these settings, shared within the process. */
export function certificateOf(files: CertificateFiles): Certificate {
  const certificate = certificates.get(files) ?? new Certificate(files);
  certificates.set(files, certificate);
  return certificate;
}
