/** Properties that must be equal on all nodes of an installation. */
export interface Installation {
  readonly secretFingerprint: string;
  /** Name of the storage: a bucket, or the disk of one machine. */
  readonly storage: string;
}

export interface JoinFacts {
  /** The installation stored in the database; null before the first start. */
  readonly installation: Installation | null;
  readonly joiner: Installation;
  /** Whether the storage of the joining node is the disk of its machine. */
  readonly storesLocally: boolean;
  /** Whether processes of another machine have sent a heartbeat recently. */
  readonly othersRun: boolean;
  /** Name of a migration in the database that this version does not have; null if there is none. */
  readonly newerMigration: string | null;
  /** Whether this node uses TLS between nodes. */
  readonly usesTls: boolean;
  /** Whether the TLS setting of another machine differs. */
  readonly othersDifferInTls: boolean;
}

/**
 * Why a node must not start with a database, as an error message for its operator; null if it may. A single node may change
 * its storage or return to an older version; several nodes must have the same storage and the same version.
 */
export function joinRejection(facts: JoinFacts): string | null {
  const { installation, joiner, storesLocally, othersRun, newerMigration } = facts;
  if (installation && installation.secretFingerprint !== joiner.secretFingerprint) {
    return (
      'APP_SECRET: this database belongs to an installation with another secret. Set APP_SECRET to that secret; ' +
      'a node that made its own keeps it in the file app-secret of its DATA_DIR.'
    );
  }
  if (!othersRun) return null;
  if (facts.othersDifferInTls) {
    return facts.usesTls
      ? 'INTERNAL_TLS_CERT: another node has no TLS between nodes. All nodes need it, or none: stop that node first.'
      : 'INTERNAL_TLS_CERT: expected with INTERNAL_TLS_KEY and INTERNAL_TLS_CA, because another node has TLS between nodes.';
  }
  if (storesLocally)
    return 'S3_BUCKET: expected, because another node uses this database and all nodes need the same files.';
  if (installation && installation.storage !== joiner.storage) {
    return `S3_BUCKET: the other nodes keep their files in ${installation.storage}, this one would in ${joiner.storage}.`;
  }
  if (newerMigration !== null) {
    return (
      `The database has the migration ${newerMigration} of a newer version, and other nodes use it. ` +
      'Update this node first.'
    );
  }
  return null;
}
