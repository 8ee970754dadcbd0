-- AlterTable
ALTER TABLE "Stream" ADD COLUMN     "settingsVersion" INTEGER NOT NULL DEFAULT 0;
