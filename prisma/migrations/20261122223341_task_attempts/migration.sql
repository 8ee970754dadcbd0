-- DropIndex
DROP INDEX "Task_phase_leaseUntil_idx";

-- AlterTable
ALTER TABLE "Task" DROP COLUMN "lease",
DROP COLUMN "leaseUntil",
ADD COLUMN     "attempt" INTEGER NOT NULL DEFAULT 0;
