import { Client } from 'pg';
import type { Transaction } from './db';
import type { Logger } from './logger';

/** Channels of PostgreSQL's NOTIFY. A notification is a hint to read the row. */
export type Channel =
  | 'stream_changed'
  | 'stream_published'
  | 'playback_access'
  | 'event_written'
  | 'task_changed'
  | 'storyboard_due'
  | 'rendition_ended'
  | 'session_due';

const RECONNECT_DELAY_MS = 1_000;

/** Sends a notification when the surrounding transaction commits. */
export async function notify(tx: Transaction, channel: Channel, id: string): Promise<void> {
  await tx.$executeRaw`select pg_notify(${channel}, ${id})`;
}

export interface Listener {
  /** Whether the listener is connected. */
  readonly isListening: boolean;
  close(): Promise<void>;
}

/**
 * Calls `onNotification` with the id of each notification, and with `null` after every (re)connect,
 * because notifications without a listener are lost.
 */
export function listen(
  databaseUrl: string,
  channel: Channel,
  onNotification: (id: string | null) => void,
  log: Logger,
): Listener {
  let client: Client | null = null;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let shouldLogOutage = true;
  let isListening = false;

  const reconnectLater = (failedClient: Client, error?: Error) => {
    // A failed client may report its end after the next one has connected.
    if (client !== failedClient) return;
    client = null;
    isListening = false;
    if (isClosed || timer) return;
    // Logged once per outage, not for every retry.
    if (shouldLogOutage) log.warn({ channel, reason: error?.message }, 'database notifications interrupted');
    shouldLogOutage = false;
    timer = setTimeout(() => {
      timer = undefined;
      connect();
    }, RECONNECT_DELAY_MS);
  };

  const connect = () => {
    const newClient = new Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
    });
    client = newClient;
    newClient.on('notification', (message) => onNotification(message.payload ?? null));
    newClient.on('error', (error) => reconnectLater(newClient, error));
    newClient.on('end', () => reconnectLater(newClient));
    newClient
      .connect()
      .then(() => newClient.query(`listen ${channel}`))
      .then(() => {
        shouldLogOutage = true;
        isListening = true;
        onNotification(null);
      })
      .catch((error: unknown) => {
        void newClient.end().catch(() => undefined);
        reconnectLater(newClient, error instanceof Error ? error : undefined);
      });
  };

  connect();
  return {
    get isListening() {
      return isListening;
    },
    async close() {
      isClosed = true;
      isListening = false;
      clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };
}
