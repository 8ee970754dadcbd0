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

const nodeTlsNames = ['INTERNAL_TLS_CERT', 'INTERNAL_TLS_KEY', 'INTERNAL_TLS_CA'] as const;

/** Rejects TLS settings that are only partly set. */
export function checkNodeTls(values: NodeTlsVariables, reject: Reject): void {
  const missingNames = nodeTlsNames.filter((name) => values[name] === undefined);
  if (missingNames.length === 0 || missingNames.length === nodeTlsNames.length) return;
  reject(
    missingNames.join(', '),
    `the path of a PEM file, because TLS between nodes needs all of ${nodeTlsNames.join(', ')}`,
  );
}

/** The files for TLS between nodes; undefined if nodes use plain HTTP. */
export const nodeTlsFiles = (values: NodeTlsVariables) =>
  areSet(values, nodeTlsNames) ? withoutPrefix(values, 'INTERNAL_TLS_') : undefined;
