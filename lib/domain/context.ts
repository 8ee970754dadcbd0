import type { Clock } from '@/lib/infra/clock';
import type { Database, Transaction } from '@/lib/infra/db';
import type { Settings } from '@/lib/infra/env';
import type { Logger } from '@/lib/infra/logger';
import type { Secrets } from '@/lib/infra/secrets';
import type { StorageDriver } from '@/lib/infra/storage';
import type { TeamRole } from '@/lib/core/access/team-roles';

/**
 * An actor of one team: an API key, a sign-in session, the operator's command line, or a viewer with the permission of the
 * team.
 */
export interface TeamActor {
  readonly kind: 'key' | 'session' | 'cli' | 'anonymous';
  readonly teamId: string;
  /** Account id of the person; absent for API keys. */
  readonly userId?: string;
  readonly sessionId?: string;
  /** Role of the person in the team; absent for API keys and the command line. */
  readonly role?: TeamRole;
  /** Id of the API key; absent for sessions and the command line. */
  readonly keyId?: string;
  readonly keyName?: string;
  /** Whether the API key is CORS-enabled, so that every visitor of a page that uses it can read it. */
  readonly corsKey?: boolean;
  /** Scopes of the API key. */
  readonly scopes?: readonly string[];
  /** Whether the API key is CORS-enabled and lacks full access. */
  readonly restricted?: true;
  /** Account id of the creator of the API key. */
  readonly keyCreator?: string;
  readonly ip?: string;
  readonly userAgent?: string;
}

/** A person who acts for a team. */
export interface AccountActor extends TeamActor {
  readonly userId: string;
}

/** The service itself, such as the media worker and its sweeps. */
export interface SystemActor {
  readonly kind: 'system';
}

/** An actor without credentials, such as a visitor who signs up or a viewer. */
export interface AnonymousActor {
  readonly kind: 'anonymous';
  readonly ip?: string;
  readonly userAgent?: string;
}

export type Actor = TeamActor | SystemActor | AnonymousActor;

/** Dependencies and actor of an operation. Inside `transact`, `db` is the transaction. */
export interface Context<A extends Actor = Actor> {
  readonly actor: A;
  readonly db: Database | Transaction;
  readonly clock: Clock;
  readonly log: Logger;
  readonly secrets: Secrets;
  readonly settings: Settings;
}

/** Context of operations on objects of a team. */
export type TeamContext = Context<TeamActor>;
/** Context of operations on a person's account. */
export type AccountContext = Context<AccountActor>;
export type SystemContext = Context<SystemActor>;

/** Context of the media worker, with file storage. The web process never touches files. */
export interface WorkerContext extends SystemContext {
  readonly storage: StorageDriver;
}

export type InTransaction<C extends Context> = C & { readonly db: Transaction };

/** Runs `fn` in the current transaction, or in a new one if there is none. */
export async function transact<A extends Actor, T>(
  ctx: Context<A>,
  fn: (tx: InTransaction<Context<A>>) => Promise<T>,
): Promise<T> {
  // Only a client outside of a transaction has `$transaction`.
  if (!('$transaction' in ctx.db)) return fn({ ...ctx, db: ctx.db });
  return ctx.db.$transaction((db) => fn({ ...ctx, db }));
}
