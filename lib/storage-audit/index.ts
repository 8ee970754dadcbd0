export { auditStorage, type AuditFinding, type StorageAudit } from './audit-storage';
