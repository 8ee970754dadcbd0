-- AlterTable
ALTER TABLE "Task" ADD COLUMN     "startedAt" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "Task_userId_startedAt_idx" ON "Task"("userId", "startedAt" DESC);
