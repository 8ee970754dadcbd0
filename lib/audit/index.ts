export { listAuditEntries } from './list-audit-entries';
export { recordAudit } from './record-audit';
