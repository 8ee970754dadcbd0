-- Lists put streams and sessions that never saw media last; Prisma's schema cannot say NULLS LAST.
DROP INDEX "Stream_userId_lastSeen_createdAt_id_idx";
CREATE INDEX "Stream_userId_lastSeen_createdAt_id_idx" ON "Stream"("userId", "lastSeen" DESC NULLS LAST, "createdAt" DESC, "id");
DROP INDEX "Session_userId_lastSeen_createdAt_id_idx";
CREATE INDEX "Session_userId_lastSeen_createdAt_id_idx" ON "Session"("userId", "lastSeen" DESC NULLS LAST, "createdAt" DESC, "id");
DROP INDEX "Session_parentId_lastSeen_createdAt_id_idx";
CREATE INDEX "Session_parentId_lastSeen_createdAt_id_idx" ON "Session"("parentId", "lastSeen" DESC NULLS LAST, "createdAt" DESC, "id");
