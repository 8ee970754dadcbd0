export { recordAudit, type AuditAction, type AuditFact } from './record-audit';
