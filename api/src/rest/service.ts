import type { Routes } from './route.ts'

export const serviceRoutes: Routes = () => {}
