import { readSettings } from '@/lib/infra/env';
import { openEgress } from '@/lib/infra/egress';
import { createLogger } from '@/lib/infra/logger';
import { every } from '../../every';
import { createWorkerContext } from '../../worker-context';
import { WebhookDeliveries } from '../deliver-webhooks';

/** A process that does nothing but deliver, with a short lease: to be killed by a test. */
const settings = readSettings();
const log = createLogger('jobs', 'silent');
const ctx = createWorkerContext(settings, log);
const egress = openEgress({ allowCidrs: settings.egressAllowCidrs });
const wake = () => looking.now();
const deliveries = new WebhookDeliveries(ctx, egress, { wake, leaseMs: 300, timeoutMs: 200 });
const looking = every(10, 'deliveries', log, () => deliveries.look());
