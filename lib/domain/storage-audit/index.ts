export { auditStorage } from './audit-storage';
