export { listAuditEntries } from './list-audit-entries';
export { type AuditAction, recordAudit } from './record-audit';
