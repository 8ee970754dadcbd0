-- AlterTable
ALTER TABLE "Asset" ADD COLUMN "uploadMachineId" UUID;
