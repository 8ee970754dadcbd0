import DataLoader from 'dataloader';
import { readRows, type Database, type Transaction } from './db';

/** The values a row is found by, in the order of the statement's arrays. */
type Key = readonly unknown[];

/** `place` says which key a row was found by; PostgreSQL counts in bigint, which the driver gives as text. */
type Found<Row> = Row & { readonly place: string };

export interface GatheredQuery {
  readonly name: string;
  /** Takes one array for each value of a key, and gives `place`, from 1: `unnest(…) with ordinality`. */
  readonly text: string;
}

/** With this many statements running, further reads wait and share the next one. */
const mostRunning = 2;
const mostTogether = 64;

/**
 * Reads one row by its key. Under load, reads of many requests go to PostgreSQL as one statement: for the two reads of
 * almost every request, where the way there takes longer than the read. Nothing is kept: a statement begins after
 * whatever it answers was asked for. Not inside a transaction.
 */
export function gatheredRead<Row>(
  query: GatheredQuery,
): (db: Database | Transaction, ...key: Key) => Promise<Row | null> {
  const loaders = new WeakMap<object, DataLoader<Key, Row | null>>();
  return (db, ...key) => {
    let loader = loaders.get(db);
    if (!loader) loaders.set(db, (loader = loaderOf<Row>(db, query)));
    return loader.load(key);
  };
}

function loaderOf<Row>(db: Database | Transaction, query: GatheredQuery): DataLoader<Key, Row | null> {
  const waiting: (() => void)[] = [];
  let running = 0;
  const begin = (dispatch: () => void) => {
    if (running >= mostRunning) {
      waiting.push(dispatch);
      return;
    }
    running += 1;
    // Behind everything that this turn of the event loop still brings.
    setImmediate(dispatch);
  };
  const end = () => {
    running -= 1;
    const next = waiting.shift();
    if (next) begin(next);
  };
  const read = (keys: readonly Key[]) => readByKeys<Row>(db, query, keys).finally(end);
  return new DataLoader(read, { cache: false, maxBatchSize: mostTogether, batchScheduleFn: begin });
}

async function readByKeys<Row>(
  db: Database | Transaction,
  query: GatheredQuery,
  keys: readonly Key[],
): Promise<(Row | null)[]> {
  const values = (keys[0] ?? []).map((_value, index) => keys.map((key) => key[index]));
  const rows: (Row | null)[] = keys.map(() => null);
  for (const row of await readRows<Found<Row>>(db, { ...query, values })) rows[Number(row.place) - 1] = row;
  return rows;
}
