import type { Routes } from './route.ts'

export const summaryRoutes: Routes = () => {}
