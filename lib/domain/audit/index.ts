export { listAuditEntries } from './list-audit-entries';
export { type AuditAction, type AuditFact, recordAudit } from './record-audit';
