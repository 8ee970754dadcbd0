import { mask, maskUrl } from './masked-url';

export type PinningCredentials =
  | { readonly jwt: string }
  | { readonly apiKey: string; readonly apiSecret: string };

/**
 * A request to copy an asset to IPFS or to a URL; it has exactly one of the two destinations. It is a type alias, because
 * interfaces cannot be assigned to the JSON type of the database client.
 */
export type ExportRequest<Metadata> = {
  readonly ipfs?: {
    readonly pinning?: PinningCredentials;
    /** Alias of `pinning` for older clients. */
    readonly pinata?: PinningCredentials;
    readonly nftMetadata?: Metadata;
    readonly nftMetadataTemplate?: string;
  };
  readonly custom?: {
    readonly url: string;
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
  };
};

/** Secrets that are stored encrypted with the task and decrypted by the worker. */
export interface ExportSecrets {
  readonly pinning?: PinningCredentials;
  /** The whole URL, because its query may contain a signature. */
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Separates the secrets of an export request from the parameters that the task shows. In `maskedRequest`, credentials,
 * header values and secrets in the URL of the destination are masked.
 */
export function separateExportSecrets<Metadata>(request: ExportRequest<Metadata>): {
  maskedRequest: ExportRequest<Metadata>;
  secrets: ExportSecrets | null;
} {
  const { ipfs, custom } = request;
  if (custom) return separateCustomSecrets(custom);
  if (!ipfs) return { maskedRequest: {}, secrets: null };
  const { pinning, pinata, ...publicParams } = ipfs;
  const credentials = pinning ?? pinata;
  if (!credentials) return { maskedRequest: { ipfs: publicParams }, secrets: null };
  return {
    maskedRequest: { ipfs: { ...publicParams, pinning: maskCredentials(credentials) } },
    secrets: { pinning: credentials },
  };
}

function separateCustomSecrets(custom: NonNullable<ExportRequest<never>['custom']>) {
  const { url, method = 'PUT', headers } = custom;
  return {
    maskedRequest: {
      custom: { url: maskUrl(url), method, ...(headers ? { headers: maskHeaderValues(headers) } : {}) },
    },
    secrets: { url, ...(headers ? { headers } : {}) },
  };
}

function maskCredentials(credentials: PinningCredentials): PinningCredentials {
  return 'jwt' in credentials ? { jwt: mask } : { apiKey: mask, apiSecret: mask };
}

function maskHeaderValues(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, mask]));
}
