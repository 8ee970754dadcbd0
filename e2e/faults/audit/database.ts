import { Client } from 'pg';
import type { Service } from '../service/service';

/** Reads rows directly from the database, so that an audit does not rely on the API. */
export class Database {
  private constructor(private readonly client: Client) {}

  static async open(service: Service): Promise<Database> {
    const client = new Client({ connectionString: service.readDatabaseUrl(), query_timeout: 60_000 });
    client.on('error', () => undefined);
    await client.connect();
    return new Database(client);
  }

  async query<Row extends object>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    const result = await this.client.query<Row>(sql, [...values]);
    return result.rows;
  }

  close(): Promise<void> {
    return this.client.end();
  }
}
