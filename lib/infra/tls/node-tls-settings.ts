import { areSet, withoutPrefix } from '../settings/names';
import { filePath, type Reject, type Values } from '../settings/variable-types';

/** Files for TLS between nodes. */
export const nodeTlsVariables = {
  INTERNAL_TLS_CERT: filePath.optional().meta({
    defaultText: 'no TLS between machines',
    description:
      'PEM file with the certificate of this machine ([TLS between machines](#tls-between-machines))',
  }),
  INTERNAL_TLS_KEY: filePath.optional().describe('PEM file with its private key'),
  INTERNAL_TLS_CA: filePath
    .optional()
    .describe('PEM file with the CA that signs the certificates of all machines'),
};

type NodeTlsVariables = Values<typeof nodeTlsVariables>;
export type NodeTlsFiles = NonNullable<ReturnType<typeof nodeTlsFiles>>;

const names = ['INTERNAL_TLS_CERT', 'INTERNAL_TLS_KEY', 'INTERNAL_TLS_CA'] as const;

export function checkNodeTls(values: NodeTlsVariables, reject: Reject): void {
  const missingNames = names.filter((name) => values[name] === undefined);
  if (missingNames.length === 0 || missingNames.length === names.length) return;
  reject(
    missingNames.join(', '),
    `the path of a PEM file, because TLS between nodes needs all of ${names.join(', ')}`,
  );
}

/** Undefined for plain HTTP. */
export const nodeTlsFiles = (values: NodeTlsVariables) =>
  areSet(values, names) ? withoutPrefix(values, 'INTERNAL_TLS_') : undefined;
