import type { SystemContext } from '@/lib/domain/context';
import { programInputs } from '@/lib/core/streams/program-state';
import { cutReason } from '@/lib/core/streams/publish-admission';
import { listen } from '@/lib/infra/notifications';
import {
  endsStandby,
  markIdle,
  noProgram,
  readLiveSettings,
  readPublishes,
  reclaimPublish,
  type PublishRow,
} from '@/lib/domain/streams';
import { runPeriodically } from '@/media-worker/kit/process/run-periodically';
import type { LiveSession } from './live-session';
import type { LiveSessions } from './live-sessions';

export interface StreamControlOptions {
  readonly ctx: SystemContext;
  readonly nodeId: string;
  readonly sessions: LiveSessions;
  /** Called when the row of any stream changed. */
  readonly onChange?: () => void;
}

/** Interval at which live streams are compared with their settings in the database. */
const POLL_INTERVAL_MS = 2_000;
/** Interval while nothing is published. */
const IDLE_POLL_INTERVAL_MS = 30_000;

/**
 * Keeps this node and the database consistent: disconnects publishes that are no longer allowed, reclaims rows that were
 * released by mistake, and releases rows that name this node without a publish. Runs on notifications and periodically.
 */
export function startStreamControl(options: StreamControlOptions): { close(): Promise<void> } {
  const { ctx } = options;
  const control = new StreamControl(options);
  const pollTimer = runPeriodically(POLL_INTERVAL_MS, 'stream control', ctx.log, () => control.reconcile(), {
    ms: IDLE_POLL_INTERVAL_MS,
    when: () => control.isIdle,
  });
  const onChange = () => {
    pollTimer.runNow();
    options.onChange?.();
  };
  const listener = listen(ctx.settings.databaseUrl, 'stream_changed', onChange, ctx.log);
  return {
    async close() {
      await listener.close();
      await pollTimer.close();
    },
  };
}

/** Compares the publishes of this node with their rows. Exported for tests. */
export class StreamControl {
  readonly #options: StreamControlOptions;
  /** Rows that named this node without a session at the last check: stream → publish number. */
  #orphans = new Map<string, number>();
  /** Number of admissions up to the last check, if no row named this node then; null otherwise. */
  #admissionsWhenEmpty: number | null = null;

  constructor(options: StreamControlOptions) {
    this.#options = options;
  }

  /** Whether nothing is published here and no row names this node; only an admission can change that. */
  get isIdle(): boolean {
    const { sessions } = this.#options;
    return sessions.all.length === 0 && sessions.admissions === this.#admissionsWhenEmpty;
  }

  async reconcile(): Promise<void> {
    const { ctx, nodeId, sessions } = this.#options;
    const { admissions } = sessions;
    const heldIds = sessions.all.map((session) => session.publish.streamId);
    const rows = await readPublishes(ctx, { nodeId, heldIds });
    const orphans = new Map<string, number>();
    for (const row of rows) {
      const session = sessions.byStream(row.id);
      if (session) await this.#reconcileSession(row, session);
      else if (row.liveNodeId === nodeId) await this.#release(row, orphans);
    }
    this.#orphans = orphans;
    this.#admissionsWhenEmpty = rows.length === 0 ? admissions : null;
  }

  async #reconcileSession(row: PublishRow, session: LiveSession): Promise<void> {
    const { ctx, nodeId } = this.#options;
    const { publish } = session;
    if (session.isOver) return;
    if (row.runs !== publish.publishNumber) {
      // This node is admitting a newer publish, or another node has taken over.
      if (row.liveNodeId !== null && row.liveNodeId !== nodeId) this.#giveUp(session);
      return;
    }
    const reason = cutReason(row, publish.publishedAt);
    if (reason) {
      ctx.log.info({ streamId: row.id, reason }, 'publisher disconnected');
      void session.close();
    } else if (publish.preview) {
      // A released test pattern reconnects automatically.
      if (row.liveNodeId !== nodeId) void session.close();
    } else if (row.liveNodeId === null) {
      const { streamId, publishNumber, sessionId } = publish;
      const reclaimedPublish = await reclaimPublish(ctx, { streamId, publishNumber, sessionId, nodeId });
      ctx.log.warn({ streamId, reclaimed: Boolean(reclaimedPublish) }, 'live stream was released by mistake');
      if (!reclaimedPublish) return;
      if (reclaimedPublish.sessionId !== sessionId)
        session.continueInSession(
          reclaimedPublish.sessionId,
          await readLiveSettings(ctx, { streamId, ...reclaimedPublish }),
        );
      if (session.isActive) session.announceActive();
    } else if (row.liveNodeId !== nodeId) {
      this.#giveUp(session);
    } else {
      if (row.settingsVersion !== publish.settings.version) await this.#configure(session);
      const input = programInputs.find((candidate) => candidate === row.switchTo);
      if (input && row.switchAskedAt) session.switchTo(input, row.switchAskedAt);
    }
  }

  async #configure(session: LiveSession): Promise<void> {
    const { publish } = session;
    const settings = await readLiveSettings(this.#options.ctx, publish);
    const isCut = endsStandby(publish.settings.program ?? noProgram, settings.program ?? noProgram);
    session.configure(settings);
    if (isCut && session.standby) session.cutStandby();
  }

  #giveUp(session: LiveSession): void {
    const { streamId } = session.publish;
    this.#options.ctx.log.warn({ streamId }, 'stream is live on another node; publisher disconnected');
    void session.close();
  }

  /** Releases a row that had no session at two successive checks: its admission failed and is not in progress. */
  async #release({ id, runs }: PublishRow, orphans: Map<string, number>): Promise<void> {
    if (this.#orphans.get(id) !== runs) {
      orphans.set(id, runs);
      return;
    }
    const { ctx, nodeId } = this.#options;
    ctx.log.warn({ streamId: id }, 'stream without a publisher released');
    await markIdle(ctx, { streamId: id, nodeId, publishNumber: runs }, 'never_admitted');
  }
}
