import { resolve } from 'node:path';
import { z } from 'zod';

/** Absolute paths of the files for TLS between nodes. */
export interface NodeTlsFiles {
  /** Certificate of this node, followed by intermediate certificates. */
  readonly cert: string;
  readonly key: string;
  /** CA of the certificates of all nodes. */
  readonly ca: string;
}

const file = z
  .string()
  .transform((path) => resolve(path))
  .optional();

export const nodeTlsEnvironment = {
  INTERNAL_TLS_CERT: file,
  INTERNAL_TLS_KEY: file,
  INTERNAL_TLS_CA: file,
};

type NodeTlsEnvironment = { readonly [name in keyof typeof nodeTlsEnvironment]?: string | undefined };

/**
 * Files for TLS between nodes; undefined for plain HTTP.
 * @returns a text with the missing setting if they are incomplete
 */
export function nodeTlsFilesOf(settings: NodeTlsEnvironment): NodeTlsFiles | string | undefined {
  const { INTERNAL_TLS_CERT: cert, INTERNAL_TLS_KEY: key, INTERNAL_TLS_CA: ca } = settings;
  if (cert && key && ca) return { cert, key, ca };
  if (!cert && !key && !ca) return undefined;
  const names = ['INTERNAL_TLS_CERT', 'INTERNAL_TLS_KEY', 'INTERNAL_TLS_CA'] as const;
  const missingNames = names.filter((name) => !settings[name]);
  return `${missingNames.join(', ')}: expected the path of a PEM file, because TLS between nodes needs all of ${names.join(', ')}`;
}
