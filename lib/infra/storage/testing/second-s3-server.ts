import { CreateBucketCommand } from '@aws-sdk/client-s3';
import { buildApp } from 'fauxqs';
import { openS3Client } from '../s3-client';
import type { S3Settings } from '../s3-settings';
import { findSignatureFault } from './signature-fault';

export interface SecondS3Server {
  readonly settings: S3Settings;
  close(): Promise<void>;
}

/**
 * Starts fauxqs, a second implementation of the S3 API. It rejects requests that s3rver (s3-server.ts) wrongly accepts. It stores
 * objects in memory.
 */
export async function startSecondS3Server(bucket = 'headwater'): Promise<SecondS3Server> {
  const app = buildApp({ logger: false });
  const key = { accessKeyId: 'SECOND', secretAccessKey: 'its secret' };
  app.addHook('onRequest', async (request, reply) => {
    const rejection = findSignatureFault(request.raw, key);
    if (rejection === null) return;
    await reply.code(403).type('application/xml').send(`<Error><Code>${rejection}</Code></Error>`);
  });
  const endpoint = await app.listen({ host: '127.0.0.1', port: 0 });
  const settings = { bucket, endpoint, region: 'us-east-1', ...key, forcePathStyle: true };
  const client = openS3Client(settings);
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
  return { settings, close: () => app.close() };
}
