-- AlterTable
ALTER TABLE "TargetStatus" ADD COLUMN     "connectedTold" BOOLEAN NOT NULL DEFAULT false;
